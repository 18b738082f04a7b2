/** Globs of files that usually contain passwords, keys or tokens. Reading such a file discloses its contents to the model. */
export const SECRETS: readonly string[] = [
  '.env',
  '.env{.,-,_}*',
  '*.env',
  '.envrc',
  '*.{pem,key,p12,pfx,jks,keystore,kdb,kdbx,ppk}',
  'id_{rsa,dsa,ecdsa,ed25519}*',
  '.{netrc,npmrc,yarnrc.yml,pypirc,pgpass,htpasswd,git-credentials,vault-token,my.cnf,mylogin.cnf}',
  '.{dockercfg,s3cfg,boto,terraformrc}',
  '{_netrc,pgpass.conf,terraform.rc}',
  'credentials.{json,csv,yml,yaml,toml,ini,xml,properties}',
  'secret{,s}.{json,yml,yaml,toml,ini,xml,properties,tfvars}',
  '{client_secret,service-account,service_account}*.json',
  '{kubeconfig,*.kubeconfig,kubeconfig.yml,kubeconfig.yaml}',
  '{*.tfstate,*.tfstate.*}',
  '{.*_history,.histfile,fish_history,ConsoleHost_history.txt}',
  '*.keychain{,-db}',
];

/** What looks like one of the {@link SECRETS} and is made to be read. */
export const NO_SECRETS: readonly string[] = [
  '.env{.,-,_}{example,sample,template,dist,defaults}',
  '.env.*.{example,sample,template,dist}',
  '{example,sample,template}.env',
  '*.{example,sample,template}.env',
  '*.pub',
];

/** Globs of directories and files that usually contain secrets. They also apply to a root inside such a directory. */
export const SECRET_PLACES: readonly string[] = [
  '.{ssh,gnupg,aws,azure,kube,oci,password-store}',
  '.docker/config.json',
  '.config/{gcloud,gh,glab-cli,hub,op}',
  '.config/git/credentials',
  '.config/rclone/rclone.conf',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.cargo/credentials{,.toml}',
  '.gem/credentials',
  '.m2/settings{,-security}.xml',
  '.terraform.d/credentials.tfrc.json',
  '.local/share/keyrings',
  'Library/Keychains',
];
