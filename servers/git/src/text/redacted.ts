/** A user name that is as long as this may be a token. */
const MAX_USER = 20;

/** What stands before the host of a URL, up to its last `@`: passwords have some, too. */
const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s/?#'"]*)@/gi;
const QUERY = /([?&][^\s=&#]*(?:token|key|secret|password|signature)[^\s=&#]*=)[^\s&#'"]+/gi;

/** A text in which URLs have no passwords and no tokens: `https://user:***@host/`. */
export function redacted(text: string): string {
  return text
    .replaceAll(USER_INFO, (_, scheme: string, info: string) => `${scheme}${shownInfo(info)}@`)
    .replaceAll(QUERY, '$1***');
}

function shownInfo(info: string): string {
  const [user = '', ...password] = info.split(':');
  const shown = user.length < MAX_USER ? user : '***';
  return password.length === 0 ? shown : `${shown}:***`;
}
