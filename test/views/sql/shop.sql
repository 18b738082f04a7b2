create schema shop;
create table shop.customers (id int primary key, name text not null, country text);
comment on table shop.customers is 'People who order';
create table shop.orders (
  id int primary key,
  customer_id int not null references shop.customers,
  placed_at timestamptz not null,
  total numeric(10, 2) not null,
  note text
);
create index on shop.orders (placed_at);
insert into shop.customers select n, 'Customer ' || n, case n % 3 when 0 then 'FI' when 1 then 'SE' end from generate_series(1, 50) n;
insert into shop.orders
  select n, n % 50 + 1, '2026-01-01 12:00+00'::timestamptz + n * interval '6 hours', round((100 + 50 * sin(n / 20.0))::numeric, 2), case when n % 7 = 0 then 'gift' end
  from generate_series(1, 3000) n;
analyze;
