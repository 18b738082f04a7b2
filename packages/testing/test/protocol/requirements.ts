import { since, type Cell, type Revision, type Transport } from './cells.ts';
import { BASE } from './requirements/base.ts';
import { FEATURES } from './requirements/features.ts';
import { LIFECYCLE } from './requirements/lifecycle.ts';
import { QUESTIONS } from './requirements/questions.ts';
import { STATELESS_HTTP } from './requirements/stateless-http.ts';
import { TRANSPORTS } from './requirements/transports.ts';
import { UTILITIES } from './requirements/utilities.ts';

/** The name of a requirement, by which tests cite it. */
export type RequirementId =
  | keyof typeof BASE
  | keyof typeof LIFECYCLE
  | keyof typeof TRANSPORTS
  | keyof typeof STATELESS_HTTP
  | keyof typeof FEATURES
  | keyof typeof UTILITIES
  | keyof typeof QUESTIONS;

/** What the specification asks of a server, shortened to one sentence: a server must, or should, … */
export type Requirement = ({ readonly must: string } | { readonly should: string }) & {
  /** Page and heading, of the newest revision that has it. */
  readonly section: string;
  /** Default: it is as old as the protocol. */
  readonly from?: Revision;
  /** The last revision it holds for. Default: it still does. */
  readonly until?: Revision;
  /** Default: all. */
  readonly over?: readonly Transport[];
};

/** Everything that the tests cite, and nothing else. */
export const REQUIREMENTS: Readonly<Record<RequirementId, Requirement>> = {
  ...BASE,
  ...LIFECYCLE,
  ...TRANSPORTS,
  ...STATELESS_HTTP,
  ...FEATURES,
  ...UTILITIES,
  ...QUESTIONS,
};

/** Whether a requirement holds for a revision over a transport. */
export function holdsFor(id: RequirementId, { revision, transport }: Cell): boolean {
  const { from, until, over } = REQUIREMENTS[id];
  if (from !== undefined && !since(revision, from)) return false;
  if (until !== undefined && revision !== until && since(revision, until)) return false;
  return over === undefined || over.includes(transport);
}
