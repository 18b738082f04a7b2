import type { RequestContext, Result } from '@org/mcp-decorators';

import type { PromptTools } from '../../prompts/prompt-message.ts';
import type { ActivityInput } from '../tools/monitor/activity.ts';
import type { HealthInput } from '../tools/monitor/health.ts';
import type { TopQueriesInput } from '../tools/monitor/top-queries.ts';
import type { ExplainInput } from '../tools/plan/explain.ts';

/** The tools that collect material for the prompts about PostgreSQL. */
export interface PostgresPromptTools extends PromptTools {
  activity(input: ActivityInput, context: RequestContext): Promise<Result>;
  explain(input: ExplainInput, context: RequestContext): Promise<Result>;
  health(input: HealthInput, context: RequestContext): Promise<Result>;
  topQueries(input: TopQueriesInput, context: RequestContext): Promise<Result>;
}
