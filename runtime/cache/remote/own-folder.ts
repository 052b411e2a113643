// A folder that no link leads to. Whoever can write to a shared folder can replace a folder in it by a link, at any time: a
// path through it then creates, deletes or changes files elsewhere. So a folder is opened, compared with its path, and used by
// its descriptor.
import { constants } from "node:fs";
import { open, readlink, realpath } from "node:fs/promises";

/** How to open a file or folder for reading: neither through a link, nor waiting for the writer of a pipe. */
export const unfollowed = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Calls an action with a path that stays this folder whatever others do meanwhile; `path` has no links. Throws if it is no
 * folder, or a link leads there.
 */
export async function inOwnFolder<T>(path: string, action: (path: string) => Promise<T>): Promise<T> {
  const folder = await open(path, unfollowed).catch((error) => {
    if (isLink(error)) throw linked(path);
    throw error;
  });
  try {
    // Other systems have no paths of descriptors: there, a link that is planted during the action is followed.
    const own = process.platform === "linux" ? `/proc/self/fd/${folder.fd}` : path;
    const actual = own === path ? await realpath(path) : await readlink(own);
    if (actual !== path) throw linked(path);
    return await action(own);
  } finally {
    await folder.close();
  }
}

/** Whether a file or folder was not opened because it is a link. */
export function isLink(error: NodeJS.ErrnoException): boolean {
  return error.code === "ELOOP";
}

function linked(path: string): Error {
  return new Error(`${path} is a link or leads through one; remove it, for someone else has put it there`);
}
