/** Returns the reference page of a server as Markdown. The page depends only on the compiled class, the options and the commands. */
export function referencePage({ compiled, options, groups, positional, commands, failures, formatQuantity }) {
  const { info, instructions, tools, resources, templates, prompts } = compiled;
  const argument = options.find(({ property }) => property === positional);
  const flags = options.filter((option) => option !== argument);
  const sections = [
    `# ${info.name}`,
    '`npm run reference` generates this page from the server. [Error codes](errors.md) explains the errors of tools.',
    info.description,
    instructions === undefined ? '' : `Instructions for models: “${instructions}”`,
    '## Tools',
    setsOf(tools),
    ...[...tools.values()].map((tool) => toolSection(tool, failures(tool.definition.name))),
    '## Resources',
    resourcesTable(resources, templates),
    ...promptSections(prompts),
    '## Command line',
    usage(info, argument),
    `\`\`\`text\n${commands}\n\`\`\``,
    'An option on the command line takes precedence over the environment, and the environment over the JSON file of `--config`, whose keys are the names of the options. Separate the entries of a list with commas.',
    ...groups(flags).flatMap(([title, grouped]) => [`### ${title}`, optionsTable(grouped, formatQuantity)]),
  ];
  return `${sections.filter((section) => section !== undefined && section !== '').join('\n\n')}\n`;
}

function setsOf(tools) {
  const all = [...tools.values()];
  const sets = [...new Set(['default', ...all.flatMap(({ sets: named }) => named)])];
  if (sets.length === 1 && all.every((tool) => tool.sets.includes('default'))) return '';
  const rows = sets.map((set) => [code(set), namesOf(all.filter((tool) => tool.sets.includes(set)))]);
  return table(['tool set', 'tools'], [...rows, [code('all'), 'every tool']]);
}

function namesOf(tools) {
  return tools.map(({ definition }) => code(definition.name)).join(', ');
}

function toolSection({ definition, scopes, app }, failures) {
  const { name, description, annotations = {}, inputSchema, outputSchema } = definition;
  return [
    `### ${name}`,
    `${sentence(description)} ${hints(annotations)}${scopesNote(annotations, scopes)}${viewNote(app)}`,
    parameters(inputSchema),
    result(outputSchema),
    failureLine(failures),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns the sentence about the view of a tool, or about a tool that the model does not call. */
function viewNote(app) {
  if (app?.visibility?.includes('model') === false) return ' Only views call this tool.';
  return app?.resourceUri === undefined ? '' : ` View: ${code(app.resourceUri)}.`;
}

function failureLine({ codes, ofPaths }) {
  const named = codes.map(code).join(', ');
  const paths = ofPaths ? '[the errors of paths](errors.md#paths)' : '';
  const all = [named, paths].filter((part) => part !== '').join(', and ');
  return all === '' ? '' : `It may fail with ${all}.`;
}

function hints({ readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true }) {
  const reach = openWorldHint ? ' It reaches beyond this machine.' : '';
  if (readOnlyHint) return `It changes nothing.${reach}`;
  const changes = destructiveHint ? 'It may overwrite or remove data' : 'It changes data but does not overwrite or remove any';
  return `${changes}${idempotentHint ? '; repeating the call has no further effect' : ''}.${reach}`;
}

/** Returns the scopes that a token needs, if they do not follow from `readOnlyHint`. */
function scopesNote({ readOnlyHint = false }, scopes) {
  const usual = readOnlyHint ? 'read' : 'write';
  return scopes.length === 1 && scopes[0] === usual ? '' : ` Scopes: ${scopes.map(code).join(', ') || 'none'}.`;
}

function parameters(schema) {
  const rows = rowsOf(schema, '').map(({ path, type, required, initial, description }) => [
    code(path),
    type,
    required ? 'required' : initial,
    description,
  ]);
  return rows.length === 0 ? 'It takes no parameters.' : table(['parameter', 'type', 'default', ''], rows);
}

function result(schema) {
  if (schema === undefined) return '';
  const rows = rowsOf(schema, '').map(({ path, type, required, description }) => [
    code(path),
    required ? type : `${type}, optional`,
    description,
  ]);
  return `Structured content, in addition to the text:\n\n${table(['field', 'type', ''], rows)}`;
}

/** Returns a row for each property; nested properties are named by their path. */
function rowsOf({ properties = {}, required = [] }, prefix) {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const row = {
      path,
      type: typeOf(schema),
      required: required.includes(name),
      initial: schema.default === undefined ? '' : code(shown(schema.default)),
      description: schema.description ?? '',
    };
    const inner = schema.items ?? schema;
    return [row, ...rowsOf(inner, schema.items === undefined ? `${path}.` : `${path}[].`)];
  });
}

/** Describes a type, such as `string`, `integer, 1 to 20` or `list of 1 to 200 objects`. */
function typeOf(schema) {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(shown(value))).join(', ');
  if (schema.type === 'array') return `list of ${bounds(schema.minItems, schema.maxItems)}${plural(schema.items ?? {})}`;
  if (schema.additionalProperties instanceof Object) return `object of ${plural(schema.additionalProperties)}`;
  const range = bounds(schema.minimum, schema.maximum) + charactersOf(schema);
  return [namesOfTypes(schema).join(' or '), range.trim()].filter(Boolean).join(', ');
}

function plural(schema) {
  if (schema.enum !== undefined || schema.type === 'array') return typeOf(schema);
  return namesOfTypes(schema)
    .map((type) => (type === 'any' ? 'any type' : `${type}s`))
    .join(' or ');
}

function namesOfTypes({ type = 'any', anyOf }) {
  return anyOf?.map((each) => each.type) ?? [type].flat();
}

function charactersOf({ minLength, maxLength }) {
  if (minLength === 1 && maxLength === undefined) return 'not empty';
  const range = bounds(minLength, maxLength);
  return range === '' ? '' : `${range}characters`;
}

function bounds(least, most) {
  if (least !== undefined && most !== undefined) return `${grouped(least)} to ${grouped(most)} `;
  if (least !== undefined) return `at least ${grouped(least)} `;
  return most === undefined ? '' : `at most ${grouped(most)} `;
}

function resourcesTable(resources, templates) {
  const rows = [
    ...[...resources.values()].map(({ definition }) => [definition.uri, definition]),
    ...templates.map(({ definition }) => [definition.uriTemplate, definition]),
  ];
  const own = rows.map(([uri, { description = '', mimeType = '' }]) => [code(uri), mimeType, description]);
  const info = [code('server://info'), 'application/json', 'State of the server: problems, limits in force, counts of calls'];
  return table(['URI', 'type', ''], [...own, info]);
}

function promptSections(prompts) {
  if (prompts.size === 0) return [];
  const rows = [...prompts.values()].map(({ definition: { name, description = '', arguments: given = [] } }) => [
    code(name),
    given.map((argument) => `${code(argument.name)}${argument.required ? '' : ' (optional)'}${described(argument)}`).join('; '),
    description,
  ]);
  return ['## Prompts', table(['prompt', 'arguments', ''], rows)];
}

function described({ description }) {
  return description === undefined ? '' : `: ${description}`;
}

function usage({ name }, argument) {
  const line = `\`\`\`text\n${name} [command] [options]${argument === undefined ? '' : ` [${argument.schema.title} …]`}\n\`\`\``;
  return argument === undefined
    ? line
    : `${line}\n\n${argument.schema.title}: ${argument.schema.description}; or ${code(argument.variable)}.`;
}

function optionsTable(options, formatQuantity) {
  const rows = options.map(({ flag, variable, schema, kind }) => [
    code(kind === 'boolean' ? `--${schema.default === true ? '[no-]' : ''}${flag}` : `--${flag} ${schema.title ?? 'N'}`),
    code(variable),
    [schema.description, limitsOf(schema, formatQuantity)].filter(Boolean).join('; '),
    defaultOf(schema, kind, formatQuantity),
  ]);
  return table(['option', 'environment', '', 'default'], rows);
}

function limitsOf(schema, formatQuantity) {
  if (schema.enum !== undefined) return typeOf(schema);
  const { format, minimum, maximum } = schema;
  if (format === undefined || schema.type === 'string') return bounds(minimum, maximum).trim();
  if (minimum !== undefined && maximum !== undefined)
    return `${formatQuantity(minimum, format)} to ${formatQuantity(maximum, format)}`;
  if (minimum !== undefined) return `at least ${formatQuantity(minimum, format)}`;
  return maximum === undefined ? '' : `at most ${formatQuantity(maximum, format)}`;
}

function defaultOf({ default: value, format }, kind, formatQuantity) {
  if (typeof value === 'number' && format !== undefined) return code(formatQuantity(value, format));
  if (kind === 'boolean') return value === true ? 'yes' : 'no';
  if (kind === 'list') return value === undefined || value.length === 0 ? '' : code(value.join());
  return value === undefined ? '' : typeof value === 'number' ? grouped(value) : code(shown(value));
}

function table(heads, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`.replaceAll(/\|\s+(?=\|)/g, '| ');
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)]
    .map((text) => text.replaceAll('|  |', '| |'))
    .join('\n');
}

function sentence(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function grouped(number) {
  return number.toLocaleString('en-US');
}

function shown(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function code(text) {
  return `\`${text}\``;
}
