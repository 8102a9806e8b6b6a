/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The server of a test.
 */
#ifndef RXECTL_SERVER_H
#define RXECTL_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/* Called after each client, with what is not NULL of: its address, and what went wrong. */
typedef void (*peer_served_fn)(const char *address, const char *wrong, void *arg);

/* A TCP socket that listens on @port, 0 for any that is free. Return: -1 with @why. */
int peer_server_listen(uint16_t port, char *why);

/* The port that it listens on. */
uint16_t peer_server_port(int listener);

/**
 * peer_server_run() - serve one client after the other
 * @count: how many; 0 for no end
 * @why: how many were not served well, or what ended it
 *
 * Return: whether @count clients were served, all of them well.
 */
bool peer_server_run(int listener, unsigned int count, peer_served_fn served, void *arg, char *why);

/* The same on @port. @why: also what kept it from serving at all. */
bool peer_serve(uint16_t port, unsigned int count, peer_served_fn served, void *arg, char *why);

#endif
