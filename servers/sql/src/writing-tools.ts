import { ObservingTools } from './observing-tools.ts';

/** Tools that change a database, where the operator allows it. */
export abstract class WritingTools extends ObservingTools {}
