import { DefinitionError } from '../../errors.ts';
import { isPlainObject } from '../../schema/json-schema.ts';

/** Words of a name that stand for a secret, by themselves or together. */
const SECRETS: readonly (readonly string[])[] = [
  ...['password', 'passwords', 'passwd', 'passphrase', 'passcode', 'secret', 'secrets', 'credential', 'credentials'].map(
    (word) => [word],
  ),
  ...['apikey', 'cvv', 'cvc'].map((word) => [word]),
  ...['api', 'access', 'private', 'secret', 'encryption'].map((kind) => [kind, 'key']),
  ...['access', 'auth', 'api', 'bearer', 'refresh', 'session', 'id'].map((kind) => [kind, 'token']),
  ['card', 'number'],
  ['credit', 'card'],
];

/**
 * Refuses a form with a text field for a secret: what a form asks for passes through the client, its logs and possibly its model
 * (2025-11-25, "Form Mode Security").
 *
 * @throws DefinitionError
 */
export function refuseSecrets(properties: Readonly<Record<string, unknown>>, place: string): void {
  const secret = Object.entries(properties).find(([name, field]) => isText(field) && isSecret(name, field));
  if (secret === undefined) return;
  throw new DefinitionError([
    `${place}.${secret[0]}: a form must not ask for a secret, which the client would see; ask by context.elicitUrl(), ` +
      'for a page of yours where the user enters the secret',
  ]);
}

/** A choice is no secret, as its values are in the form. */
function isText(field: unknown): field is Readonly<Record<string, unknown>> {
  if (!isPlainObject(field)) return false;
  return field['type'] === 'string' && field['enum'] === undefined && field['oneOf'] === undefined;
}

function isSecret(name: string, { format, title }: Readonly<Record<string, unknown>>): boolean {
  return format === 'password' || namesSecret(name) || (typeof title === 'string' && namesSecret(title));
}

function namesSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return (
    words.join('') === 'token' ||
    SECRETS.some((secret) => words.some((_, from) => secret.every((word, at) => words[from + at] === word)))
  );
}
