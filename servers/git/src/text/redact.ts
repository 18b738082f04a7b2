/** A user name of this length or more may be a token. */
const MAX_USER = 20;

/** The user info of a URL, up to the last `@`, because a password may contain `@`. */
const USER_INFO = /:\/\/([^\s/?#'"]*)@/g;

/**
 * A parameter without its value. A match begins only at the start of the text, or after white space, `=`, `&` or `#`, so that no
 * text is scanned twice.
 */
const PARAMETER = /(?<![^\s=&#])[^\s=&#]+=/g;
const VALUE = /[^\s&#'"]+/y;
const SECRET = /token|key|secret|password|signature/i;

/** Redacts passwords and tokens in the URLs of a text: `https://user:***@host/`. */
export function redactSecrets(text: string): string {
  return redactParameters(text.replaceAll(USER_INFO, (_, info: string) => `://${redactUserInfo(info)}@`));
}

function redactParameters(text: string): string {
  const pieces: string[] = [];
  let position = 0;
  for (const { 0: parameter, index } of text.matchAll(PARAMETER)) {
    const end = index + parameter.length;
    // The previous value may end inside this match.
    const start = Math.max(index, position);
    VALUE.lastIndex = end;
    if (!isSecret(text[start - 1], text.slice(start, end)) || !VALUE.test(text)) continue;
    pieces.push(text.slice(position, end), '***');
    position = VALUE.lastIndex;
  }
  return pieces.join('') + text.slice(position);
}

/** @param before the character before `parameter` @param parameter a match, which may start with the path before the query */
function isSecret(before: string | undefined, parameter: string): boolean {
  const query = before === '&' ? 0 : parameter.indexOf('?');
  return query !== -1 && SECRET.test(parameter.slice(query));
}

function redactUserInfo(info: string): string {
  const [user = '', ...password] = info.split(':');
  const shown = user.length < MAX_USER ? user : '***';
  return password.length === 0 ? shown : `${shown}:***`;
}
