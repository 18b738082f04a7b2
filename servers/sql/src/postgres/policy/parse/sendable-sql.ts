import { requireWellFormed } from './bounds.ts';

/**
 * SQL in the exact form in which it is sent. Only the policy converts a caller's text to this type, and no later code trims or
 * rewrites the text. Otherwise PostgreSQL could see other names than the policy.
 */
export class SendableSql {
  readonly text: string;
  /** Columns that the policy masked in the text of the caller, such as `crm.customers.email (redact)`. */
  readonly masked: readonly string[];

  private constructor(text: string, masked: readonly string[] = []) {
    this.text = text;
    this.masked = masked;
  }

  /**
   * Wraps SQL of this program. Values of a caller belong in parameters, and names of a caller must be quoted.
   *
   * @throws ToolError INVALID_ARGUMENTS for a text that would not arrive unchanged
   */
  static own(text: string): SendableSql {
    requireWellFormed(text);
    return new SendableSql(text);
  }

  /** Wraps SQL of a caller. Only the policy calls this function, after its analysis unless the policy is `off`. */
  static admitted(text: string, masked?: readonly string[]): SendableSql {
    return new SendableSql(text, masked);
  }

  /** Adds SQL of this program around the statement. A line break ends a comment at the end of the statement. */
  between(before: string, after: string): SendableSql {
    return new SendableSql(`${before}${this.text}\n${after}`, this.masked);
  }
}
