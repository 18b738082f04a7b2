import { build } from 'rolldown';
const SHIMS='@modelcontextprotocol/server/_shims';const CODE=`export { default as process } from 'node:process';
  export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';`;
const pure=process.argv[2]==='pure';
await build({input:{bin:'dist/bin.js',thread:'dist/walk/thread.js'},platform:'node',write:false,resolve:{mainFields:['es2015','module','main']},
treeshake: pure?{manualPureFunctions:process.argv.slice(3)}:{},
output:{format:'esm',minify:{compress:true,mangle:{keepNames:true},codegen:{removeWhitespace:true}}},
plugins:[{name:'s',resolveId:id=>id===SHIMS?'\0'+SHIMS:undefined,load:id=>id==='\0'+SHIMS?CODE:undefined},{name:'x',generateBundle(o,chunks){for(const c of Object.values(chunks)){if(!(c.code?.length>220000))continue;console.log(c.fileName,c.code?.length);if(pure)continue;for(const [id,m] of Object.entries(c.modules??{}).sort((a,b)=>b[1].renderedLength-a[1].renderedLength).slice(0,22))console.log(String(m.renderedLength).padStart(9),id.replace(/.*node_modules\/(?!.*node_modules)/,''))}}}]});
