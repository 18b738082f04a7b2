-- Sample data of masks.test.ts, which lists the masked columns. All masked values except phone numbers contain the word zebra.
create schema crm;
create table crm.customers (
  id int primary key,
  name text not null,
  email varchar(80),
  phone text,
  born date,
  email_domain text generated always as (split_part(email, '@', 2)) stored
);
insert into crm.customers values
  (1, 'Ada', 'ada@zebra.example', '555-0100', '1815-12-10'),
  (2, 'Bo', 'bo@zebra.example', '7', null),
  (3, 'Cy', null, null, '1990-01-01');
create table crm.orders (id int primary key, customer_id int references crm.customers, total numeric);
insert into crm.orders values (10, 1, 5), (11, 1, 7), (12, 2, 1);
create view crm.contacts as select id, name, email from crm.customers;
create view crm.renamed (number, mail) as select id, email from crm.contacts where id < 100;
create view crm.totals as select customer_id, sum(total) as total from crm.orders group by 1;
create view crm.listed as select id, name, email as mail, phone from crm.customers;
create materialized view crm.copied as select id, email from crm.customers;
create materialized view crm.reviewed as select id, name, email from crm.customers;
create table crm.events (at date, who text) partition by range (at);
create table crm.events_2025 partition of crm.events for values from ('2025-01-01') to ('2026-01-01');
insert into crm.events values ('2025-05-05', 'zebra-event');
create table crm.people (id int, secret text);
create table crm.staff (salary int) inherits (crm.people);
insert into crm.staff values (1, 'zebra-staff', 100);
create table crm.first_parent (id int, secret text, copy text generated always as (id::text) stored);
create table crm.second_parent (secret text);
create table crm.heir (copy text generated always as (secret || '!') stored) inherits (crm.first_parent, crm.second_parent);
insert into crm.heir (id, secret) values (1, 'zebra-heir');
create table crm.notes (id int primary key, body text);
insert into crm.notes values (1, 'plain');
create domain crm.required as text check (value <> '') not null;
create table crm.typed (id int, code crm.required);
insert into crm.typed values (1, 'zebra-code');
create table crm."Größe" (id int, "Wert" text);
insert into crm."Größe" values (1, 'zebra-wert');
create function crm.peek() returns text language sql stable as $$ select string_agg(email, ' ') from crm.customers $$;
create function crm.peek_of(int) returns text language plpgsql immutable as $$ begin return (select email from crm.customers where id = $1); end $$;
create function crm.add_one(int) returns int language sql immutable as $$ select $1 + 1 $$;
create operator crm.### (function = crm.peek_of, rightarg = int);
create function crm.gather(text, int) returns text language sql immutable as $$ select crm.peek_of($2) $$;
create aggregate crm.collect(int) (sfunc = crm.gather, stype = text);
create extension pg_stat_statements schema crm;
create view crm.by_function as select crm.peek() as found;
create view crm.by_operator as select operator(crm.###) 1 as found;
create view crm.by_xml as select query_to_xml('select email from crm.customers', true, false, '') as found;
create view crm.by_activity as select query from pg_stat_get_activity(null);
create view crm.by_statistics as select most_common_vals::text from pg_stats where tablename = 'customers';
analyze crm.customers;
create table crm.frequent as select 'zebra-frequent'::text as word, g as id from generate_series(1, 500) g;
analyze crm.frequent;
grant usage on schema crm to mcp_ro;
grant select on all tables in schema crm to mcp_ro;
grant execute on all functions in schema crm to mcp_ro;
alter role mcp_ro set search_path = crm, public;
grant pg_read_all_stats to mcp_ro;
