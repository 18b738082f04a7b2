import { requireWellFormed } from './bounds.ts';

/**
 * SQL in the exact form in which it is sent. The type is the proof: a caller's text becomes one only where the policy has read it,
 * and nothing after that trims or rewrites the text. PostgreSQL must not see other names than the policy has seen.
 */
export class SendableSql {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /**
   * SQL of this program. What a caller gave belongs in parameters; a name of a caller is quoted.
   *
   * @throws ToolError INVALID_ARGUMENTS for a text that would not arrive as it is
   */
  static own(text: string): SendableSql {
    requireWellFormed(text);
    return new SendableSql(text);
  }

  /** SQL of a caller, which the policy has read; only the policy calls this. */
  static judged(text: string): SendableSql {
    return new SendableSql(text);
  }

  /** The statement with words of this program around it. A line break ends a comment at the end of the statement. */
  between(before: string, after: string): SendableSql {
    return new SendableSql(`${before}${this.text}\n${after}`);
  }
}
