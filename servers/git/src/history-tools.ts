import { ReadingTools } from './reading-tools.ts';

/** Tools that look through history and the objects it is made of. */
export abstract class HistoryTools extends ReadingTools {}
