import { ToolError } from '@org/mcp-decorators';

/** @throws ToolError INVALID_ARGUMENTS for a message that is given and says nothing, or that no argument can carry */
export function requireMessage(message: string | undefined): void {
  if (message !== undefined && (message.trim() === '' || message.includes('\0')))
    throw new ToolError('INVALID_ARGUMENTS', 'the message is empty or contains a NUL character');
}
