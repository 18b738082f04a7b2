import { Complete, McpServer, RequestContext, Resource } from '@org/mcp-decorators';

import { pathCandidates, revisionCandidates } from './operations/complete-names.ts';
import { gitStatus, RepositoryStatus } from './operations/git-status.ts';
import { RemoteTools } from './remote-tools.ts';
import { BlobUri, readBlobResource, RepositoryUri } from './operations/read-blob-resource.ts';
import { VERSION } from './version.ts';

const BLOB = 'git://{repo}/blob/{rev}/{+path}';
const STATUS = 'git://{repo}/status';

/** Git repositories inside the operator's directories. Subclass it to change a tool, or to add one on `this.repositoryFor`. */
@McpServer({
  name: 'mcp-git',
  title: 'Git',
  version: VERSION,
  description: 'Reads and extends the history of git repositories inside the given directories; nothing of theirs is executed.',
  instructions:
    'repo_path may be left out where there is one repository. Paths are names relative to its top, never patterns. Results that were cut say so. Hooks do not run.',
})
export class GitServer extends RemoteTools {
  @Resource({
    uriTemplate: BLOB,
    name: 'blob',
    title: 'File in a commit',
    description: 'A file as a branch, tag or commit has it',
  })
  async blob(uri: BlobUri, context: RequestContext): Promise<string | Uint8Array> {
    return readBlobResource(await this.repositories.byId(uri.repo, await this.scopeOf(context)), uri);
  }

  @Resource({ uriTemplate: STATUS, name: 'status', title: 'Status', description: 'Branch, upstream and changed files' })
  async status({ repo }: RepositoryUri, context: RequestContext): Promise<RepositoryStatus> {
    return gitStatus(await this.repositories.byId(repo, await this.scopeOf(context)));
  }

  @Complete({ resource: STATUS, argument: 'repo' })
  @Complete({ resource: BLOB, argument: 'repo' })
  async completeRepo(_value: string, _given: Given, context: RequestContext): Promise<readonly string[]> {
    return (await this.repositories.all(await this.scopeOf(context))).map(({ id }) => id);
  }

  @Complete({ resource: BLOB, argument: 'rev' })
  async completeRev(_value: string, { repo = '' }: Given, context: RequestContext): Promise<readonly string[]> {
    return revisionCandidates(await this.repositories.byId(repo, await this.scopeOf(context)));
  }

  @Complete({ resource: BLOB, argument: 'path' })
  async completePath(_value: string, { repo = '', rev = 'HEAD' }: Given, context: RequestContext): Promise<readonly string[]> {
    return pathCandidates(await this.repositories.byId(repo, await this.scopeOf(context)), rev);
  }
}

type Given = Readonly<Record<string, string>>;
