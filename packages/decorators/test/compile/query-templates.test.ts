import { IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { McpServer, Resource } from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

class Rows {
  @IsString() table!: string;
  @IsString() @IsOptional() limit?: string;
}
class LaterRows extends Rows {
  @IsString() @IsOptional() from?: string;
}
class NamedRows {
  @IsString() name!: string;
  @IsString() @IsOptional() limit?: string;
  @IsString() @IsOptional() from?: string;
}

describe('two URI templates with queries', () => {
  it('are accepted if one of them has a further variable in its query', () => {
    @McpServer({ name: 'rows', version: '1.0.0' })
    class OtherQuery {
      @Resource({ uriTemplate: 'db://{table}{?limit}', variables: Rows }) first(_variables: Rows): void {}
      @Resource({ uriTemplate: 'db://{table}{?limit,from}', variables: LaterRows }) second(_variables: LaterRows): void {}
    }
    expect(readProblems(OtherQuery)).toEqual([]);
  });

  it('are rejected if they differ only in the variable of the path and the order of the query', () => {
    @McpServer({ name: 'rows', version: '1.0.0' })
    class SameQuery {
      @Resource({ uriTemplate: 'db://{table}{?limit,from}', variables: LaterRows }) first(_variables: LaterRows): void {}
      @Resource({ uriTemplate: 'db://{name}{?from,limit}', variables: NamedRows }) second(_variables: NamedRows): void {}
    }
    expect(readProblems(SameQuery)).toEqual([
      'SameQuery.second: its URI template matches the same URIs as the template of SameQuery.first; change one of the two',
    ]);
  });
});
