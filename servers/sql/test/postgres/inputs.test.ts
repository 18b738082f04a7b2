import { ClassSchema, type Constructor } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import {
  ExecuteInput,
  ExplainErrorArguments,
  ExportInput,
  GenerateTypesInput,
  PostgresExecuteInput,
  PostgresExplainErrorArguments,
  PostgresExportInput,
  PostgresGenerateTypesInput,
  PostgresQueryInput,
  QueryInput,
} from '../../src/index.ts';

describe('the parameters of an inherited tool of PostgreSQL', () => {
  it.each<[name: string, own: Constructor, neutral: Constructor, texts: readonly string[]]>([
    ['query', PostgresQueryInput, QueryInput, ['sql', 'params']],
    ['export', PostgresExportInput, ExportInput, ['params']],
    ['execute', PostgresExecuteInput, ExecuteInput, ['sql', 'params']],
    ['generate_types', PostgresGenerateTypesInput, GenerateTypesInput, ['language']],
    ['explain_error', PostgresExplainErrorArguments, ExplainErrorArguments, ['error']],
  ])('equal the parameters of every engine except in the texts about PostgreSQL: %s', (_, own, neutral, texts) => {
    const [ours, theirs] = [own, neutral].map((each) => ClassSchema.of(each).input);
    const changed = texts.map((name) => [
      name,
      { ...theirs?.properties[name], description: ours?.properties[name]?.description },
    ]);
    expect(ours).toEqual({ ...theirs, properties: { ...theirs?.properties, ...Object.fromEntries(changed) } });
    for (const name of texts) expect(theirs?.properties[name]?.description).not.toMatch(/\$1|pg|PostgreSQL/);
  });
});
