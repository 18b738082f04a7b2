import { PathField } from './fields.ts';

/** The input of a tool that takes a path. */
export class PathInput {
  @PathField() path!: string;
}
