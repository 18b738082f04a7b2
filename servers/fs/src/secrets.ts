/** Globs of what commonly holds passwords, keys and tokens. A model that reads them has sent them away. */
export const SECRETS: readonly string[] = [
  '.env',
  '.env.*',
  '.envrc',
  '*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk}',
  'id_{rsa,dsa,ecdsa,ed25519}*',
  '.{ssh,gnupg,aws,azure,kube,password-store}',
  '.{netrc,npmrc,pypirc,pgpass,htpasswd,git-credentials,vault-token,my.cnf}',
  '_netrc',
  '**/.docker/config.json',
  '**/.config/{gcloud,gh,op}',
  '*.keychain{,-db}',
];

/** What looks like one of the {@link SECRETS} and is made to be read. */
export const NO_SECRETS: readonly string[] = ['.env.{example,sample,template,dist,defaults}', '*.pub'];
