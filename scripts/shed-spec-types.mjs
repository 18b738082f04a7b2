/** The modules of the SDK that contain the schemas of all protocol types, and that create predicates from them. */
const SCHEMAS = /@modelcontextprotocol\/core\/dist\/(?:schemas|auth)-[\w-]+\.mjs$/;
const PREDICATES = /@modelcontextprotocol\/server\/dist\/src-[\w-]+\.mjs$/;

/** The statements that create `specTypeSchemas` and `isSpecType`, and so use every schema. */
const REGISTRATION = [
  'for (const key of SPEC_SCHEMA_KEYS) register(key, schemas_exports[key]);',
  'for (const [key, schema] of Object.entries(authSchemas)) register(key, schema);',
];

/**
 * Removes the SDK's schemas that no code in the bundle reads: creating two hundred of them at each start takes as long as compiling
 * a third of the bundle. The schemas that validate messages are separate; the SDK creates them on demand.
 *
 * `specTypeSchemas` and `isSpecType` of the SDK are empty in the bundle; the build fails if a module imports them.
 */
export function shedSpecTypes() {
  return {
    name: 'shed-spec-types',
    transform(code, id) {
      if (SCHEMAS.test(id)) return { code: withPureConstants(code, this.parse(code)), map: null };
      if (PREDICATES.test(id)) return { code: withoutRegistration(code), map: null };
      if (!id.includes('/@modelcontextprotocol/') && /\b(?:specTypeSchemas|isSpecType)\b/.test(code))
        throw new Error(`${id} uses the SDK's predicates of the protocol's types, which bundles are without`);
      return undefined;
    },
  };
}

/** Marks the calls that create constants as pure, so that unused constants are removed. These modules call only functions that create schemas. */
function withPureConstants(code, { body }) {
  const calls = body
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap(({ declarations }) => declarations.map(({ init }) => init))
    .filter((init) => init?.type === 'CallExpression');
  let text = '';
  let end = 0;
  for (const call of calls) {
    text += `${code.slice(end, call.start)}/* @__PURE__ */ (() => ${code.slice(call.start, call.end)})()`;
    end = call.end;
  }
  return text + code.slice(end);
}

function withoutRegistration(code) {
  for (const statement of REGISTRATION)
    if (!code.includes(statement)) throw new Error(`the SDK does not register the protocol's types by "${statement}" any more`);
  return REGISTRATION.reduce((text, statement) => text.replace(statement, ''), code);
}
