import { RequestContext, Tool, type Result } from '@org/mcp-decorators';

import { LOSES, READS } from './hints.ts';
import { activity, Activity, ActivityInput } from './operations/activity.ts';
import { cancel, CancelInput, CancelOutcome } from './operations/cancel.ts';
import { health, Health, HealthInput } from './operations/health.ts';
import { TopQueries, topQueries, TopQueriesInput } from './operations/top-queries.ts';
import { QueryTools } from './query-tools.ts';
import { activityResult, cancelResult, healthResult, topQueriesResult } from './results/observing-results.ts';

/** Tools that show how a database server is doing. */
export abstract class ObservingTools extends QueryTools {
  @Tool({
    title: 'Health',
    description:
      'Check connections, transactions, cache, dead rows, indexes, sequences, replication and settings, with SQL that mends what is wrong',
    output: Health,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async health(input: HealthInput, context: RequestContext): Promise<Result> {
    return healthResult(await health(this.databaseFor(input), input, context));
  }

  @Tool({
    title: 'Top queries',
    description: 'The statements that took most time, reads, temporary files or WAL, from pg_stat_statements',
    output: TopQueries,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async topQueries(input: TopQueriesInput, context: RequestContext): Promise<Result> {
    return topQueriesResult(await topQueries(this.databaseFor(input), input, context));
  }

  @Tool({
    title: 'Activity',
    description: 'Sessions, locks, who blocks whom, or the progress of maintenance, as they are now',
    output: Activity,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async activity(input: ActivityInput, context: RequestContext): Promise<Result> {
    return activityResult(await activity(this.databaseFor(input), input, context));
  }

  @Tool({
    title: 'Cancel',
    description: 'Cancel the statement of a session, or terminate the session, and tell its state afterwards',
    output: CancelOutcome,
    annotations: LOSES,
    sets: ['default', 'write'],
  })
  async cancel(input: CancelInput, { signal }: RequestContext): Promise<Result> {
    const { cancelOthers } = this.options;
    return cancelResult(await cancel(this.databaseFor(input), input, { signal, cancelOthers }), input);
  }
}
