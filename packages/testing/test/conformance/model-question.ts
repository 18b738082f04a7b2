import type { SamplingRequest, SamplingResult } from '@org/mcp-decorators';

/** A question to the client's model, as one user message. */
export function modelQuestion(text: string, maxTokens: number): SamplingRequest {
  return { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens };
}

/** What the model wrote; the content's type where it is no text. */
export function modelAnswer({ content }: SamplingResult): string {
  return content.type === 'text' ? content.text : content.type;
}
