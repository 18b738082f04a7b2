import { ChangingTools } from './changing-tools.ts';

/** Tools that bring commits of one branch to another, and go on with or give up what stopped at a conflict. */
export abstract class JoiningTools extends ChangingTools {}
