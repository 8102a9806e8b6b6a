/* SPDX-License-Identifier: GPL-2.0 */
/* Server of the path test. */
#ifndef RXECTL_SERVER_H
#define RXECTL_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/* Seconds after which an idle client that announces keepalive is disconnected. */
extern long peer_server_idle;

/*
 * Called after each client with its address, and the reason of a failure or NULL; maybe in a child
 * of the caller's process.
 */
typedef void (*peer_served_fn)(const char *address, const char *wrong, void *arg);

/* Listen on TCP port @port; 0 picks an unused one. Return: the socket, -1 with @why. */
int peer_server_listen(uint16_t port, char *why);

/* Return: the port of a listening socket. */
uint16_t peer_server_port(int listener);

/**
 * peer_server_run() - serve clients, each in a process of its own unless @count is 1
 * @listener: listening socket
 * @count: number of clients; 0 for no limit
 * @served: called after each client
 * @arg: for @served
 * @why: receives the reason of a failure
 *
 * Return: true if @count clients were served without errors.
 */
bool peer_server_run(int listener, unsigned int count, peer_served_fn served, void *arg, char *why);

/*
 * The same on a new socket for @port; @listening is called once clients can connect, with @arg.
 */
bool peer_serve(uint16_t port, unsigned int count, void (*listening)(uint16_t port, void *arg),
		peer_served_fn served, void *arg, char *why);

#endif
