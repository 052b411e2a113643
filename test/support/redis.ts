// Options and skips of tests with a Redis server.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { freePort } from "./redis-server.js";

export { freePort, type RedisServer, startRedis, startSlowProxy } from "./redis-server.js";

/** Why tests with a server are skipped; empty where redis-server is installed. */
export const noRedis = ((): string => {
  try {
    execFileSync("redis-server", ["--version"]);
    return "";
  } catch {
    return " (skipped: redis-server is not installed)";
  }
})();

/** The options of a server that speaks TLS alone, with a certificate of its own making; `certificate` is its file. */
export async function tlsOptions(
  folder: string,
): Promise<{ port: number; certificate: string; options: string[] }> {
  const port = await freePort();
  const certificate = join(folder, "certificate.pem");
  const key = join(folder, "key.pem");
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const made = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "1"];
  execFileSync("openssl", ["req", "-x509", ...made, ...subject], { stdio: "ignore" });
  const files = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate];
  const options = ["--tls-port", `${port}`, ...files, "--tls-auth-clients", "no"];
  return { port, certificate, options };
}
