import { newPassword } from './new-password.ts';
import { SCHEMA_TRIGGERS_SQL } from './schema-triggers.ts';
import { NO_WRITER_SQL, writerSql } from './writer.ts';
import { READER, READER_ATTRIBUTES } from './role-sql.ts';

/** Schema and roles that an embedded server has before its first query. */
export interface Contents {
  readonly sample: boolean;
  /** Whether to create a role that may write. */
  readonly writable: boolean;
}

/** Passwords of the reader and the writer. The superuser's password is in `Cluster`. */
export interface RolePasswords {
  readonly reader: string;
  readonly writer: string;
}

export function newPasswords(): RolePasswords {
  return { reader: newPassword(), writer: newPassword() };
}

/** Returns the SQL that creates the contents. Each text has one or more statements; the texts run in order. */
export function contentsSql({ sample, writable }: Contents, { reader, writer }: RolePasswords): readonly string[] {
  return [
    ONE_SCRAM_ITERATION,
    readerSql(reader),
    ...(sample ? [SAMPLE_SQL] : []),
    `${writable ? writerSql(writer) : NO_WRITER_SQL}${SCHEMA_TRIGGERS_SQL}`,
  ];
}

// SCRAM iterations protect weak passwords. These passwords are 192 random bits, and the default would cost every connection 2 ms.
const ONE_SCRAM_ITERATION = 'set scram_iterations = 1';

/**
 * Returns SQL that creates the reader role, or changes its password. The role may read `public` and whatever every role may read, and
 * may not create objects. (`pg_read_all_data` would let the role read `pg_authid`.)
 */
export function readerSql(password: string): string {
  return `
    do $$ begin
      if not exists (select from pg_roles where rolname = '${READER}') then
        create role ${READER} login;
      end if;
    end $$;
    alter role ${READER} with ${READER_ATTRIBUTES} password '${password}';
    alter role ${READER} set default_transaction_read_only = on;
    revoke temporary, create on database postgres from public;
    grant usage on schema public to ${READER};
    grant select on all tables in schema public to ${READER};
    alter default privileges in schema public grant select on tables to ${READER};
  `;
}

/** SQL that creates a shop with 2,000 customers, 400 products, 20,000 orders and 50,000 lines, always the same. Keeps an existing shop. */
export const SAMPLE_SQL: string = `
do $sample$ begin
  if exists (select from pg_namespace where nspname = 'shop') then return; end if;
  create schema shop;
  comment on schema shop is 'A sample shop';
  set local search_path = shop;

  create type order_status as enum ('new', 'paid', 'shipped', 'returned');

  create table customers (
    id int primary key,
    name text not null,
    email text not null unique,
    country char(2) not null,
    created_at timestamptz not null
  );
  comment on table customers is 'Customers of the shop';
  comment on column customers.country is 'ISO 3166-1 alpha-2';
  insert into customers
  select g, 'Customer ' || g, 'customer' || g || '@example.com', (array['DE', 'FR', 'JP', 'US', 'BR'])[1 + g % 5],
    timestamptz '2024-01-01 00:00:00+00' + g * interval '5 hours'
  from generate_series(1, 2000) g;

  create table products (
    id int primary key,
    name text not null unique,
    price numeric(10, 2) not null check (price > 0),
    attributes jsonb not null default '{}'
  );
  comment on table products is 'Products for sale';
  insert into products
  select g, 'Product ' || g, 1 + (g * 37 % 500) + 0.99, jsonb_build_object('color', (array['red', 'green', 'blue'])[1 + g % 3])
  from generate_series(1, 400) g;

  create table orders (
    id bigint primary key,
    customer_id int not null,
    status order_status not null,
    placed_at timestamptz not null,
    note text
  );
  comment on table orders is 'One purchase of a customer';
  insert into orders
  select g, 1 + g * 7 % 2000, (enum_range(null::order_status))[1 + g % 4],
    timestamptz '2025-01-01 00:00:00+00' + g * interval '20 minutes', case when g % 50 = 0 then 'gift' end
  from generate_series(1, 20000) g;
  create index orders_customer_id on orders (customer_id);
  -- Adding the constraint after the rows is faster than checking each row.
  alter table orders add foreign key (customer_id) references customers;

  create table order_lines (
    order_id bigint not null,
    line int not null,
    product_id int not null,
    quantity int not null check (quantity > 0),
    primary key (order_id, line)
  );
  comment on table order_lines is 'A product within an order';
  insert into order_lines
  select 1 + g % 20000, 1 + g / 20000, 1 + g * 13 % 400, 1 + g % 3 from generate_series(0, 49999) g;
  alter table order_lines add foreign key (order_id) references orders, add foreign key (product_id) references products;

  create view revenue as
  select date_trunc('month', placed_at) as month, sum(quantity * price) as revenue
  from orders join order_lines on order_id = orders.id join products on product_id = products.id
  group by 1;
  comment on view revenue is 'Value of the orders of each month';

  grant usage on schema shop to ${READER};
  grant select on all tables in schema shop to ${READER};
  alter role ${READER} set search_path = shop, public;
end $sample$;
analyze;
`;
