import type { Meta } from '@org/mcp-decorators';

/**
 * The `_meta` of a tool whose results an operator can raise above the default of 20,000 bytes. Claude Code moves results of more than
 * 50,000 characters to a file; this key raises its limit to 500,000 characters, the most that it accepts.
 */
export const LARGE_RESULTS: Meta = { 'anthropic/maxResultSizeChars': 500_000 };
