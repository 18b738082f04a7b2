import type { Cell } from '../messages/cells.ts';
import type { RawClient } from './raw-client.ts';
import type { RequirementId } from '../requirements/requirements.ts';
import type { Served } from './served.ts';

/** The client and the server of a test. */
export interface Given {
  /** One client for all tests of a revision over a transport. */
  readonly client: RawClient;
  readonly served: Served;
}

/**
 * Declares a test and the requirements that it covers. The test runs for every revision and transport to which all these
 * requirements apply.
 */
type Declare = (title: string, cited: readonly RequirementId[], run: (given: Given) => Promise<void>) => void;

/** The tests of one area of the protocol. */
export type Area = (test: Declare, cell: Cell) => void;
