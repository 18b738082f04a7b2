/** A user name that is as long as this may be a token. */
const MAX_USER = 20;

/** What stands before the host of a URL, up to its last `@`: passwords have some, too. */
const USER_INFO = /:\/\/([^\s/?#'"]*)@/g;

/** A parameter without its value. The match starts at the end of the previous text, so that no text is scanned twice. */
const PARAMETER = /(?<![^\s=&#])[^\s=&#]+=/g;
const VALUE = /[^\s&#'"]+/y;
const SECRET = /token|key|secret|password|signature/i;

/** A text in which URLs have no passwords and no tokens: `https://user:***@host/`. */
export function redacted(text: string): string {
  return withoutSecretParameters(text.replaceAll(USER_INFO, (_, info: string) => `://${shownInfo(info)}@`));
}

function withoutSecretParameters(text: string): string {
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

/** @param before the character before the parameter; the match may start with the path before the query */
function isSecret(before: string | undefined, parameter: string): boolean {
  const query = before === '&' ? 0 : parameter.indexOf('?');
  return query !== -1 && SECRET.test(parameter.slice(query));
}

function shownInfo(info: string): string {
  const [user = '', ...password] = info.split(':');
  const shown = user.length < MAX_USER ? user : '***';
  return password.length === 0 ? shown : `${shown}:***`;
}
