import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

import { serve as serveHono } from '@hono/node-server';
import { All, Controller, Module, Req, Res, type INestApplication, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { McpHandler } from '@org/mcp-host';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';

/** An application that serves a handler at a free local port. */
export interface Application {
  readonly origin: string;
  close(): Promise<void>;
}

/** Applications of several frameworks, by name. */
export const APPLICATIONS: Readonly<Record<string, (handler: McpHandler) => Promise<Application>>> = {
  'node:http': (handler) => listen(createServer(listenerOf(handler))),
  'Express 5': (handler) => {
    const app = express();
    app.all([...handler.paths], handler.node);
    return listen(createServer(app));
  },
  'Express 5 with a parser of bodies and a router': (handler) => {
    const app = express();
    app.use(express.json({ limit: '20mb' }));
    app.use('/mcp', express.Router().all('/', handler.node));
    app.all([...handler.paths], handler.node);
    return listen(createServer(app));
  },
  'Fastify 5': async (handler) => {
    const app = fastify({ bodyLimit: 20_000_000 });
    for (const path of handler.paths)
      app.all(path, async (request, reply) => {
        reply.hijack();
        await handler.node(request.raw, reply.raw, request.body);
      });
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    app.server.on('close', () => undefined);
    return { origin, close: () => closeAll(app.server).then(() => app.close()) };
  },
  Hono: (handler) => {
    const app = new Hono();
    for (const path of handler.paths) app.all(path, (context) => handler.fetch(context.req.raw));
    return new Promise((resolve) => {
      const server = serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
        resolve({ origin: `http://127.0.0.1:${port}`, close: () => closeAll(server as Server) });
      });
    });
  },
  'NestJS 11': async (handler) => {
    const app: INestApplication = await NestFactory.create(moduleOf(handler), { logger: false });
    await app.listen(0, '127.0.0.1');
    const server: Server = app.getHttpServer();
    return { origin: originOf(server), close: () => closeAll(server).then(() => app.close()) };
  },
};

function moduleOf(handler: McpHandler): Type {
  @Controller()
  class McpController {
    @All([...handler.paths])
    serve(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
      return handler.node(request, response);
    }
  }

  @Module({ controllers: [McpController] })
  class AppModule {}

  return AppModule;
}

function listenerOf(handler: McpHandler): RequestListener {
  return (request, response) => void handler.node(request, response);
}

async function listen(server: Server): Promise<Application> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: originOf(server), close: () => closeAll(server) };
}

function originOf(server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function closeAll(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}
