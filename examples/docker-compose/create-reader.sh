#!/bin/sh
# Creates the role that the server uses. The image of PostgreSQL runs this script once, for a new database.
set -eu
psql --username postgres --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/reader)" <<'SQL'
create role reader login password :'password';
grant pg_read_all_data to reader;
SQL
