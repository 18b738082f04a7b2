import { Feature, McpServer, type RequestContext, Tool } from '@org/mcp-decorators';
import { FilesystemOptions, FilesystemServer } from '@org/mcp-fs';
import { GitLogInput, GitOptions, GitServer, GitStatusInput, RepositoryInput } from '@org/mcp-git';

/** Combines the tools, resources and prompts of the file server and the git server, for the directories of a project. */
@McpServer({
  name: 'workbench',
  version: '1.0.0',
  instructions: 'Reads and changes the files of a project, and its git history.',
  // git_clean is removed, because it deletes untracked files, also files that the file tools have created.
  tools: { git_clean: false },
})
export class WorkbenchServer {
  @Feature() readonly files: FilesystemServer;
  @Feature() readonly history: GitServer;

  constructor(options: FilesystemOptions) {
    const { directories, roots, rootsTimeout, stateDir } = options;
    this.files = new FilesystemServer(options);
    this.history = new GitServer(
      Object.assign(new GitOptions(), { directories, roots, rootsTimeout, ...(stateDir !== undefined && { stateDir }) }),
    );
  }

  @Tool({
    description: 'Summarize the state of the project: uncommitted changes and the last commits',
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async projectState(input: RepositoryInput, context: RequestContext): Promise<string> {
    const [status, log] = await Promise.all([
      this.history.gitStatus(Object.assign(new GitStatusInput(), input), context),
      this.history.gitLog(Object.assign(new GitLogInput(), input, { max_count: 3 }), context),
    ]);
    return [...status.texts, ...log.texts].join('\n\n');
  }
}
