import { Flag, OneOf, TextList } from '@org/mcp-decorators';
import { DirectoryOptions } from '@org/mcp-host';

const TRUST = ['none', 'listed', 'all'] as const;

/** Whose configuration may name programs: nobody's, that of repositories given on the command line, or everybody's. */
export type Trust = (typeof TRUST)[number];

/** What of a repository may run, and what may not be done to it. */
export class SafetyOptions extends DirectoryOptions {
  @OneOf(TRUST, 'Repositories whose own configuration may run filters and other programs; listed: those given as DIRECTORY', {
    title: 'WHICH',
  })
  trust: Trust = 'none';

  @Flag('Let hooks of the repositories run where git runs them; without it they never do') allowHooks = false;

  /** Short names; `*` stands for any characters but `/`. */
  @TextList('Branches that are never deleted, renamed or pushed to with force, here and at remotes', { title: 'NAMES' })
  protectedBranches: string[] = ['main', 'master'];

  /** Default: every host over https and ssh. Plain http is spoken only with a host that is named as `http://HOST[:PORT]`. */
  @TextList('Hosts that remotes may be at; without it, every host over https and ssh', { optional: true, title: 'HOSTS' })
  remoteHosts?: string[];
}
