import { Field } from '@org/mcp-decorators';
import { DirectoryOptions } from '@org/mcp-host';
import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';

const TRUST = ['none', 'listed', 'all'] as const;

/** Whose configuration may name programs: nobody's, that of repositories given on the command line, or everybody's. */
export type Trust = (typeof TRUST)[number];

/** What of a repository may run, and what may not be done to it. */
export class SafetyOptions extends DirectoryOptions {
  @Field('Repositories whose own configuration may run filters and other programs; listed: those given as DIRECTORY', {
    title: 'WHICH',
  })
  @IsIn([...TRUST])
  trust: Trust = 'none';

  @Field('Let hooks of the repositories run where git runs them; without it they never do')
  @IsBoolean()
  allowHooks = false;

  /** Short names; `*` stands for any characters but `/`. */
  @Field('Branches that are never deleted, renamed or pushed to with force, here and at remotes', { title: 'NAMES' })
  @IsString({ each: true })
  protectedBranches: string[] = ['main', 'master'];

  /** Default: every host over https and ssh. Plain http is spoken only with a host that is named as `http://HOST[:PORT]`. */
  @Field('Hosts that remotes may be at; without it, every host over https and ssh', { title: 'HOSTS' })
  @IsOptional()
  @IsString({ each: true })
  remoteHosts?: string[];
}
