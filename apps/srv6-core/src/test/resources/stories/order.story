# The egress has its SID before the ingress sends packets to it, and loses it after the ingress has stopped.
submit p1 fd00:1::/64 a b c
  write a: INSERT sid_list id 1
  p1: PENDING (a PENDING, c PENDING)
a answers
  write c: INSERT my_sid fcbb:bbbb:0:1::/64
c answers
  write a: INSERT steering_v6 vrf 0 fd00:1::/64
a answers
  p1: INSTALLED
withdraw p1
  write a: DELETE steering_v6 vrf 0 fd00:1::/64
  p1: REMOVING (a REMOVING, c REMOVING)
a answers
  write c: DELETE my_sid fcbb:bbbb:0:1::/64
c answers
  write a: DELETE sid_list id 1
a answers
  p1: gone
