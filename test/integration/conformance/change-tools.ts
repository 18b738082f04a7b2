import { RequestContext, Tool } from '@org/mcp-decorators';

/** Tools that notify clients of changes. */
export class ChangeTools {
  @Tool({ description: 'Notifies clients that the list of tools has changed' })
  testTriggerToolChange(context: RequestContext): string {
    context.listChanged('tools');
    return 'Mutation triggered';
  }

  @Tool({ description: 'Notifies clients that the list of prompts has changed' })
  testTriggerPromptChange(context: RequestContext): string {
    context.listChanged('prompts');
    return 'Mutation triggered';
  }
}
