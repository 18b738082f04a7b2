import { Integer, ListOf, McpServer, type RequestContext, Resource, type Result, Text, Tool } from '@org/mcp-decorators';
import { DatabaseInput, PostgresServer, QueryInput } from '@org/mcp-sql';

import { ShopOptions } from './shop-options.js';

export class BestSellersInput extends DatabaseInput {
  @Text('ISO code of the country of the customers', { pattern: /^[A-Z]{2}$/ }) country!: string;
}

export class Product {
  @Text('Name of the product') name!: string;
  @Integer('Number of products sold') sold!: number;
}

export class BestSellers {
  @ListOf(() => Product, 'Products, best-selling first') products!: Product[];
}

const BEST_SELLERS = `
  SELECT products.name, sum(quantity)
  FROM shop.order_lines
    JOIN shop.orders ON orders.id = order_id
    JOIN shop.customers ON customers.id = customer_id
    JOIN shop.products ON products.id = product_id
  WHERE country = $1
  GROUP BY products.name
  ORDER BY 2 DESC, 1
  LIMIT $2`;

const RECENT = 20;

/**
 * Adds a tool that lists the best-selling products, and a resource that lists the last statements that ran. `generate_types` is
 * removed.
 */
@McpServer({ name: 'shop-sql', version: '1.0.0', tools: { generate_types: false } })
export class ShopServer extends PostgresServer {
  declare protected readonly options: ShopOptions;
  readonly #statements: string[] = [];

  @Tool({
    description: 'List the best-selling products of a country',
    output: BestSellers,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async bestSellers(input: BestSellersInput, context: RequestContext): Promise<BestSellers> {
    // The text of the caller is a parameter, never a part of the statement.
    const params = [input.country, String(this.options.best)];
    const rows = await this.databaseFor(input).rows(BEST_SELLERS, params, context);
    return { products: rows.map(([name, sold]) => ({ name: name ?? '', sold: Number(sold) })) };
  }

  // Without a decorator, the tool keeps its name, description, schema and annotations. Saved queries call this method, too.
  override async query(input: QueryInput, context: RequestContext): Promise<Result> {
    const result = await super.query(input, context);
    this.#statements.unshift(input.sql);
    this.#statements.splice(RECENT);
    return result;
  }

  @Resource({ uri: 'shop://statements', description: `The last ${RECENT} statements that ran successfully, newest first` })
  statements(): readonly string[] {
    return this.#statements;
  }
}
