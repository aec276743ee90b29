/** How many words name the action of a command; the longest entry that a command begins with counts. */
const ARITY: ReadonlyMap<string, number> = new Map([
  ...two(
    ["git", "npm", "pnpm", "yarn", "bun", "deno", "docker", "podman", "kubectl", "helm", "cargo"],
    ["go", "pip", "pip3", "poetry", "uv", "gem", "bundle", "brew", "apt", "apt-get", "dnf", "yum"],
    ["pacman", "systemctl", "journalctl", "terraform", "vagrant", "gradle", "mvn", "dotnet"],
    ["rustup", "nix", "composer", "php", "rails", "mix", "stack", "cabal", "gh", "act"],
    ["glab", "hg", "svn", "jj", "tmux", "flyctl", "fly", "heroku", "vercel", "netlify", "wrangler"],
    ["supabase", "firebase", "pulumi", "ansible", "consul", "vault", "nats", "minikube", "kind"],
  ),
  ...three(
    ["npm run", "npm exec", "pnpm run", "pnpm exec", "pnpm dlx", "yarn run", "yarn dlx", "bun run"],
    ["bun x", "deno task", "docker compose", "docker container", "docker image", "docker volume"],
    ["docker network", "docker builder", "podman container", "podman image", "git config"],
    ["git remote", "git stash", "git submodule", "git worktree", "cargo run", "go mod", "gh pr"],
    ["gh issue", "gh run", "gh repo", "gh release", "aws", "gcloud", "az", "uv run", "uv pip"],
    ["poetry run", "bundle exec", "kubectl rollout", "kubectl config", "terraform workspace"],
  ),
]);

function two(...lists: readonly (readonly string[])[]): [string, number][] {
  return lists.flat().map((name) => [name, 2]);
}

function three(...lists: readonly (readonly string[])[]): [string, number][] {
  return lists.flat().map((name) => [name, 3]);
}

/** The number of leading words that say what a command does; 1 for a command that is not known. */
export function arityOf(words: readonly string[]): number {
  for (let length = Math.min(words.length, 2); length > 0; length -= 1) {
    const known = ARITY.get(words.slice(0, length).join(" "));
    if (known !== undefined) return known;
  }
  return 1;
}
