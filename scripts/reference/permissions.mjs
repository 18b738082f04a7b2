/** The values of hints that a tool does not have, as the protocol defines them. */
const UNKNOWN_HINTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

/** Returns the page that lists the permissions of all tools. Each server has a table: hints, scopes, confirmation and tool sets. */
export function permissionsPage(servers) {
  return {
    file: 'docs/reference/permissions.md',
    text: [
      '# Permissions of the tools',
      '`npm run reference` generates this page from the servers. It lists for each tool what the tool may do, and which options and tokens permit it.',
      [
        '* **Changes**: `no` for a tool that only reads, `adds` for a tool that changes data without overwriting or removing any, `may overwrite` for all other tools.',
        '* **Read-only**: whether `--read-only` offers the tool.',
        '* **Scope**: the scopes that an access token needs over HTTP.',
        '* **Confirmation**: whether the tool asks the user before it loses data.',
        '* **Open world**: whether the tool reaches beyond this machine.',
        '* **Sets**: the names with which `--tools` offers the tool. The set `default` is offered without `--tools`, and `all` contains every tool.',
      ].join('\n'),
      ...servers.flatMap(({ info, tools }) => [`## ${info.name}`, toTable(tools)]),
    ]
      .join('\n\n')
      .concat('\n'),
  };
}

function toTable(tools) {
  const rows = [...tools.values()].map(({ definition, scopes, sets }) => {
    const hints = { ...UNKNOWN_HINTS, ...definition.annotations };
    return [
      code(definition.name),
      describeChanges(hints),
      yesOrNo(hints.idempotentHint || hints.readOnlyHint),
      yesOrNo(hints.readOnlyHint && !scopes.includes('write')),
      scopes.map(code).join(', ') || 'none',
      yesOrNo(Object.hasOwn(definition.inputSchema.properties ?? {}, 'confirm_token')),
      yesOrNo(hints.openWorldHint),
      sets.map(code).join(', '),
    ];
  });
  const heads = ['tool', 'changes', 'repeatable', 'read-only', 'scope', 'confirmation', 'open world', 'sets'];
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function describeChanges({ readOnlyHint, destructiveHint }) {
  if (readOnlyHint) return 'no';
  return destructiveHint ? 'may overwrite' : 'adds';
}

function yesOrNo(value) {
  return value ? 'yes' : 'no';
}

function code(text) {
  return `\`${text}\``;
}
