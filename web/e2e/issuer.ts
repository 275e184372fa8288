// SPDX-License-Identifier: Apache-2.0
// A small OpenID Connect issuer with a page that asks alice, so that the way of a browser is the real one.
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const CLIENT = "sextant-map";
export const SECRET = "a secret of the test";

export interface Issuer {
  readonly url: string;
  readonly client: string;
  close(): void;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function signed(claims: object): string {
  const text = `${encoded({ alg: "RS256", kid: "it", typ: "JWT" })}.${encoded(claims)}`;
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), privateKey).toString("base64url")}`;
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part as Buffer);
  }
  return new URLSearchParams(Buffer.concat(parts).toString());
}

/** At a free port of this machine. */
export async function issuer(): Promise<Issuer> {
  const codes = new Map<string, URLSearchParams>();
  let url = "";
  const json = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  };
  const to = (response: ServerResponse, address: string): void => {
    response.writeHead(303, { Location: address }).end();
  };

  /** The page that people see: the controller's parameters go along in its links. */
  const page = (response: ServerResponse, asked: URLSearchParams): void => {
    response
      .writeHead(200, { "Content-Type": "text/html" })
      .end(
        `<title>Issuer</title><a href="/agree?${asked}">I am alice</a> <a href="/deny?${asked}">I am nobody</a>`.replaceAll(
          "&",
          "&amp;",
        ),
      );
  };
  const agree = (response: ServerResponse, asked: URLSearchParams): void => {
    const code = `code${codes.size}`;
    codes.set(code, asked);
    to(response, `${asked.get("redirect_uri")}?code=${code}&state=${asked.get("state")}`);
  };
  const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = await bodyOf(request);
    const asked = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const login = Buffer.from(`${CLIENT}:${encodeURIComponent(SECRET).replaceAll("%20", "+")}`).toString("base64");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (request.headers.authorization !== `Basic ${login}`) {
      json(response, 401, { error: "invalid_client" });
    } else if (asked?.get("code_challenge") !== challenge) {
      json(response, 400, { error: "invalid_grant" });
    } else {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: url, aud: CLIENT, sub: "alice", iat: now, exp: now + 300, roles: ["viewer"] };
      json(response, 200, { token_type: "Bearer", id_token: signed({ ...claims, nonce: asked.get("nonce") }) });
    }
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    switch (pathname) {
      case "/.well-known/openid-configuration":
        json(response, 200, {
          issuer: url,
          jwks_uri: `${url}/keys`,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          end_session_endpoint: `${url}/logout`,
        });
        break;
      case "/keys":
        json(response, 200, {
          keys: [{ ...publicKey.export({ format: "jwk" }), kid: "it", use: "sig", alg: "RS256" }],
        });
        break;
      case "/authorize":
        page(response, searchParams);
        break;
      case "/agree":
        agree(response, searchParams);
        break;
      case "/deny":
        to(response, `${searchParams.get("redirect_uri")}?error=access_denied&state=${searchParams.get("state")}`);
        break;
      case "/token":
        void token(request, response);
        break;
      case "/logout":
        to(response, searchParams.get("post_logout_redirect_uri") ?? "/");
        break;
      default:
        json(response, 404, {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, client: CLIENT, close: () => server.close() };
}
