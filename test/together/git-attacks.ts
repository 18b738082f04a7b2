import { configuration, EXECUTABLE, hook, type Call } from '../support/attacker.ts';

/** The calls of an attack, by the paths of its scene. */
export type Attack = (at: (name: string) => string) => readonly Call[];

const bare: Attack = (at) => [
  ['fs', 'write_file', { path: at('evil/HEAD'), content: 'ref: refs/heads/main\n' }],
  ['fs', 'create_directory', { path: at('evil/objects') }],
  ['fs', 'create_directory', { path: at('evil/refs') }],
  ['fs', 'write_file', { path: at('evil/commondir'), content: '.' }],
];

const configurations: Attack = (at) => {
  const config = configuration(at('program'));
  return [
    ['fs', 'write_file', { path: at('p/.git/config'), content: config }],
    ['fs', 'append_file', { path: at('p/.git/config'), content: config }],
    ['fs', 'edit_file', { path: at('p/.git/config'), edits: [{ oldText: '[core]', newText: config }] }],
    ['fs', 'replace_in_files', { path: at('p/.git'), include: ['config'], pattern: '[core]', replacement: config, hidden: true }],
    ['fs', 'copy_file', { source: at('evil/config'), destination: at('p/.git/config'), overwrite: true }],
    ['fs', 'move_file', { source: at('evil/config'), destination: at('p/.git/config'), overwrite: true }],
  ];
};

/** Sequences of calls that try to make git run a program. */
export const ATTACKS: readonly (readonly [attack: string, calls: Attack])[] = [
  ...(['write_file', 'append_file', 'edit_file', 'replace_in_files', 'copy_file', 'move_file'] as const).map(
    (tool) =>
      [`configuration by ${tool}`, (at) => configurations(at).filter(([, name]) => name === tool)] as const satisfies readonly [
        string,
        Attack,
      ],
  ),
  [
    'configuration in another case',
    (at) => [['fs', 'write_file', { path: at('p/.GIT/config'), content: configuration(at('program')), createParents: true }]],
  ],
  [
    'configuration of one work tree',
    (at) => [
      ['fs', 'write_file', { path: at('p/.git/worktrees/wt/config.worktree'), content: configuration(at('program')) }],
      ['fs', 'append_file', { path: at('p/.git/config'), content: '[extensions]\n\tworktreeConfig = true\n' }],
    ],
  ],
  [
    'configuration through a link in the history',
    (at) => [
      ['git', 'git_checkout', { repo_path: at('p'), branch_name: 'hostile' }],
      ['fs', 'write_file', { path: at('p/way/config'), content: configuration(at('program')) }],
    ],
  ],
  [
    'hooks',
    (at) =>
      ['pre-commit', 'post-checkout', 'post-index-change'].flatMap((name): readonly Call[] => [
        ['fs', 'create_directory', { path: at('p/.git/hooks') }],
        ['fs', 'copy_file', { source: at(`p/${EXECUTABLE}`), destination: at(`p/.git/hooks/${name}`) }],
        ['fs', 'write_file', { path: at(`p/.git/hooks/${name}`), content: hook(at('program')) }],
        ['fs', 'copy_file', { source: at('evil/hooks/pre-commit'), destination: at(`p/.git/hooks/${name}`), overwrite: true }],
      ]),
  ],
  [
    'hooks by git_mv',
    (at) => [
      ['fs', 'write_file', { path: at(`p/${EXECUTABLE}`), content: hook(at('program')) }],
      ['git', 'git_add', { repo_path: at('p'), all: true }],
      ['git', 'git_mv', { repo_path: at('p'), source: EXECUTABLE, destination: '.git/hooks/pre-commit' }],
    ],
  ],
  [
    'hooks by git_worktree_add',
    (at) => [
      ['git', 'git_worktree_add', { repo_path: at('p'), path: at('p/.git/hooks/x'), revision: 'HEAD' }],
      ['git', 'git_worktree_add', { repo_path: at('p'), path: at('evil/hooks/x'), revision: 'HEAD' }],
    ],
  ],
  [
    'drivers by attributes',
    (at) => [
      ['fs', 'write_file', { path: at('p/.gitattributes'), content: '* filter=x diff=x merge=x text eol=crlf\n' }],
      ['fs', 'write_file', { path: at('p/.git/info/attributes'), content: '* filter=x\n', createParents: true }],
      ...configurations(at),
    ],
  ],
  [
    '.git file to a prepared directory',
    (at) => [...bare(at), ['fs', 'write_file', { path: at('q/.git'), content: `gitdir: ${at('evil')}\n`, createParents: true }]],
  ],
  [
    'prepared directory as .git',
    (at) => [
      ...bare(at),
      ['fs', 'create_directory', { path: at('q') }],
      ['fs', 'move_file', { source: at('evil'), destination: at('q/.git') }],
      ['fs', 'copy_file', { source: at('evil'), destination: at('q/.git') }],
      ['fs', 'move_file', { source: at('evil'), destination: at('q/.GIT') }],
    ],
  ],
  ['prepared bare repository', bare],
  [
    'git_init in a prepared directory',
    (at) => [
      ['git', 'git_init', { repo_path: at('evil'), bare: true }],
      ['git', 'git_init', { repo_path: at('evil') }],
    ],
  ],
  [
    'bare repository by git_init, and its configuration',
    (at) => [
      ['git', 'git_init', { repo_path: at('q'), bare: true }],
      ['fs', 'write_file', { path: at('q/config'), content: configuration(at('program')) }],
      ['fs', 'write_file', { path: at('q/hooks/pre-commit'), content: hook(at('program')), createParents: true }],
    ],
  ],
  [
    'template',
    (at) => [
      ['fs', 'copy_file', { source: at('evil'), destination: at('templates') }],
      ['git', 'git_init', { repo_path: at('q') }],
    ],
  ],
  [
    'link of a work tree',
    (at) => [
      ...bare(at),
      ['fs', 'write_file', { path: at('wt/.git'), content: `gitdir: ${at('evil')}\n` }],
      ['fs', 'write_file', { path: at('link'), content: `gitdir: ${at('evil')}\n` }],
      ['fs', 'move_file', { source: at('link'), destination: at('wt/.git'), overwrite: true }],
    ],
  ],
  [
    'common directory of a work tree',
    (at) => [...bare(at), ['fs', 'write_file', { path: at('p/.git/worktrees/wt/commondir'), content: at('evil') }]],
  ],
  [
    'submodule',
    (at) => [
      [
        'fs',
        'write_file',
        {
          path: at('p/.gitmodules'),
          content: `[submodule "sub"]\n\tpath = sub\n\turl = ext::sh ${at('program')}\n\tupdate = !sh ${at('program')}\n`,
        },
      ],
      ['fs', 'write_file', { path: at('p/sub/.git'), content: 'gitdir: ../../evil\n', createParents: true }],
      ['fs', 'write_file', { path: at('p/.git/modules/sub/config'), content: configuration(at('program')), createParents: true }],
      ['git', 'git_diff_unstaged', { repo_path: at('p') }],
    ],
  ],
  [
    'embedded bare repository of the history',
    (at) => [
      ['git', 'git_checkout', { repo_path: at('p'), branch_name: 'hostile' }],
      ['fs', 'write_file', { path: at('p/embedded/config'), content: configuration(at('program')) }],
      ['git', 'git_status', { repo_path: at('p/embedded') }],
      ['git', 'git_log', { repo_path: at('p/embedded') }],
    ],
  ],
  [
    'rebase todo',
    (at) => [
      ['git', 'git_rebase', { repo_path: at('p'), upstream: 'hostile' }],
      ['fs', 'write_file', { path: at('p/.git/rebase-merge/git-rebase-todo'), content: `exec sh ${at('program')}\n` }],
      ['fs', 'write_file', { path: at('p/a.txt'), content: 'resolved\n' }],
      ['git', 'git_add', { repo_path: at('p'), all: true }],
      ['git', 'git_continue', { repo_path: at('p') }],
    ],
  ],
  [
    'remote helpers',
    (at) => [
      ['git', 'git_remote_add', { repo_path: at('p'), name: 'origin', url: `ext::sh ${at('program')}` }],
      ['git', 'git_clone', { url: `ext::sh ${at('program')}`, path: at('q') }],
      ...bare(at),
      ['git', 'git_clone', { url: `file://${at('evil')}`, path: at('q') }],
      ['git', 'git_clone', { url: at('evil'), path: at('q') }],
      ['git', 'git_fetch', { repo_path: at('p') }],
    ],
  ],
  [
    'project exchanged as a whole',
    (at) => [
      ...bare(at),
      ['fs', 'move_file', { source: at('p'), destination: at('aside') }],
      ['fs', 'move_file', { source: at('evil'), destination: at('p') }],
    ],
  ],
  [
    'copy of the project',
    (at) => [
      ['fs', 'copy_file', { source: at('p'), destination: at('q') }],
      ['fs', 'write_file', { path: at('q/.git/config'), content: configuration(at('program')), createParents: true }],
    ],
  ],
  [
    'git directory deleted, and another one made',
    (at) => [
      ['fs', 'delete_file', { path: at('p/.git'), recursive: true }],
      ['fs', 'copy_file', { source: at('evil'), destination: at('p/.git') }],
    ],
  ],
];
