import { RequestContext, Tool, type Result } from '@org/mcp-decorators';

import { READS } from './hints.ts';
import { ObservingTools } from './observing-tools.ts';
import { adviseIndexes, AdviseIndexesInput, IndexAdvice } from './operations/advise-indexes.ts';
import { compareSchemas, CompareSchemasInput, SchemaDifferences } from './operations/compare-schemas.ts';
import { ErDiagram, erDiagram, ErDiagramInput } from './operations/er-diagram.ts';
import { GeneratedTypes, generateTypes, GenerateTypesInput } from './operations/generate-types.ts';
import { HeardNotifications, listen, ListenInput } from './operations/listen.ts';
import { ColumnProfile, profileColumn, ProfileColumnInput } from './operations/profile-column.ts';
import {
  adviceResult,
  diagramResult,
  differencesResult,
  heardResult,
  profileResult,
  typesResult,
} from './results/extra-results.ts';

/** Tools that are not needed every day. */
export abstract class ExtraTools extends ObservingTools {
  @Tool({
    title: 'Advise indexes',
    description: 'Which indexes a statement may be faster with, by its plan',
    output: IndexAdvice,
    annotations: READS,
    sets: ['extra', 'read'],
  })
  async adviseIndexes(input: AdviseIndexesInput, context: RequestContext): Promise<Result> {
    return adviceResult(await adviseIndexes(this.databaseFor(input), input, context));
  }

  @Tool({
    title: 'ER diagram',
    description: 'Draw tables, their keys and how they refer to each other, in Mermaid',
    output: ErDiagram,
    annotations: READS,
    sets: ['extra', 'read'],
  })
  async erDiagram(input: ErDiagramInput, context: RequestContext): Promise<Result> {
    return diagramResult(await erDiagram(this.databaseFor(input), input, context));
  }

  @Tool({
    title: 'Generate types',
    description: 'Write the types of the rows of tables and views, for TypeScript or Python',
    output: GeneratedTypes,
    annotations: READS,
    sets: ['extra', 'read'],
  })
  async generateTypes(input: GenerateTypesInput, context: RequestContext): Promise<Result> {
    return typesResult(await generateTypes(this.databaseFor(input), input, context));
  }

  @Tool({
    title: 'Profile column',
    description: 'What the values of a column are like: nulls, different ones, smallest, largest, most frequent',
    output: ColumnProfile,
    annotations: READS,
    sets: ['extra', 'read'],
  })
  async profileColumn(input: ProfileColumnInput, context: RequestContext): Promise<Result> {
    return profileResult(await profileColumn(this.databaseFor(input), input, context), input);
  }

  @Tool({
    title: 'Listen',
    description: 'Wait for notifications that sessions send by NOTIFY, until there are as many as wanted or the time is over',
    output: HeardNotifications,
    annotations: READS,
    sets: ['extra', 'read'],
  })
  async listen(input: ListenInput, context: RequestContext): Promise<Result> {
    return heardResult(await listen(this.databaseFor(input), input, context));
  }

  @Tool({
    title: 'Compare schemas',
    description: 'What differs between two schemas, of one database or of two',
    output: SchemaDifferences,
    annotations: READS,
    sets: ['extra', 'read'],
  })
  async compareSchemas(input: CompareSchemasInput, context: RequestContext): Promise<Result> {
    const { database, other_database = database } = input;
    const other = this.databaseFor(other_database === undefined ? {} : { database: other_database });
    return differencesResult(await compareSchemas([this.databaseFor(input), other], input, context));
  }
}
