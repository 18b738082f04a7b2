import { FindingOptions } from './finding-options.ts';

/** Options of how changes are made, and undone. */
export class WritingOptions extends FindingOptions {}
