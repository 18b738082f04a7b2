import type { AuthInfo } from '@modelcontextprotocol/server';
import { Authenticator } from '@org/mcp-host';

/** An authenticator that counts the requests and streams whose tokens it follows. */
export class CountingAuthenticator extends Authenticator {
  #followers = 0;

  get followers(): number {
    return this.#followers;
  }

  override follow(auth: AuthInfo, ended: () => void): () => void {
    const unfollow = super.follow(auth, ended);
    this.#followers += 1;
    let isFollowed = true;
    return () => {
      if (isFollowed) this.#followers -= 1;
      isFollowed = false;
      unfollow();
    };
  }
}
