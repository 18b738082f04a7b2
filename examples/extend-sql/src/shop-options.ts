import { Integer } from '@org/mcp-decorators';
import { PostgresOptions } from '@org/mcp-sql';

/** Adds `--best`, SHOP_SQL_BEST and an entry of `--help`. */
export class ShopOptions extends PostgresOptions {
  @Integer('Number of products that best_sellers lists', { title: 'N', min: 1, max: 100 }) best = 3;
}
