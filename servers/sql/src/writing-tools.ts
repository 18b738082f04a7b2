import { ExtraTools } from './extra-tools.ts';

/** Tools that change a database, where the operator allows it. */
export abstract class WritingTools extends ExtraTools {}
