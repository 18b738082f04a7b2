-- ---
-- name: list_tables
-- description: Tables of the database with their sizes
-- ---
SELECT relname, pg_table_size(relid) AS bytes FROM pg_stat_user_tables ORDER BY bytes DESC
