import type { Cell } from './cells.ts';
import type { RawClient } from './raw-client.ts';
import type { RequirementId } from './requirements.ts';
import type { Served } from './served.ts';

/** What a test has. */
export interface Given {
  /** One client for all tests of a cell. */
  readonly client: RawClient;
  readonly served: Served;
}

/** Declares a test and cites what it shows; it runs in every cell for which all of that holds. */
type Declare = (title: string, cited: readonly RequirementId[], run: (given: Given) => Promise<void>) => void;

/** The tests of one area of the protocol. */
export type Area = (test: Declare, cell: Cell) => void;
