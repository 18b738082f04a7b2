import { WritingTools } from './writing-tools.ts';

/** Tools and resources that are files in a watched folder. */
export abstract class SavedQueries extends WritingTools {}
