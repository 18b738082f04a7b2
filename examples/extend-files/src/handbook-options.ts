import { Flag } from '@org/mcp-decorators';
import { FilesystemOptions } from '@org/mcp-fs';

/** Adds `--[no-]require-title`, HANDBOOK_REQUIRE_TITLE and an entry of `--help`. */
export class HandbookOptions extends FilesystemOptions {
  @Flag('Reject Markdown files that do not begin with a title') requireTitle = true;
}
